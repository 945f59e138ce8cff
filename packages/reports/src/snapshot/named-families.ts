import { packageFamilies } from '@plimsoll/model';

/** `neither "apt" nor "rpm"`: the families, in a sentence about a text that names none of them. */
export const neitherFamily = `neither ${packageFamilies.map((family) => `"${family}"`).join(' nor ')}`;
