#!/usr/bin/env node
// Versions of Node.js that are too old must be able to parse this file and what it imports.
import { existsSync } from 'node:fs';
import { nodeProblem } from './node-problem.mjs';

const built = new URL('../dist/main.js', import.meta.url);
const notBuilt = 'Plimsoll is not built yet: run "npm run build".';
const problem = nodeProblem(process.versions.node) || (existsSync(built) ? null : notBuilt);
if (problem === null) {
  import(built.href);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
