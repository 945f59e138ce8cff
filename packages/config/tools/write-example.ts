import { writeFile } from 'node:fs/promises';
import { configExample } from '../src/index.ts';

// npm runs a package's scripts in its folder.
await writeFile('../../plimsoll.example.yaml', configExample());
