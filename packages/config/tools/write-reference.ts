import { writeFile } from 'node:fs/promises';
import { configReference } from '../src/index.ts';

// npm runs a package's scripts in its folder.
await writeFile('../../docs/configuration.md', configReference());
