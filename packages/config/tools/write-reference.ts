import { writeFile } from 'node:fs/promises';
import { configExample, configReference } from '../src/index.ts';

// npm runs a package's scripts in its folder.
await writeFile('../../docs/configuration.md', configReference());
await writeFile('../../plimsoll.example.yaml', configExample());
