/** `lab-check`: checks and tests the lab, which the product's own commands do not wait for. */
export { runLab as run } from './test.mjs';
