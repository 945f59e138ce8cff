import { packageFamilies } from '@plimsoll/model';

/** `neither "apt" nor "rpm"`: for messages about a text that names no family. */
export const neitherFamily = `neither ${packageFamilies.map((family) => `"${family}"`).join(' nor ')}`;
