import type { PackageVersionId } from '@plimsoll/model';

/**
 * Ids of sets in a block. The posting of a version in a block has at most as many bytes, and a question reads up to as many sets
 * that are in no block yet, in a few milliseconds.
 */
export const setsPerBlock = 1_024;
const blockBits = 10;

/** Numbers above 0 by id of a set: an array for each block, because millions of them are looked up. */
export class SetNumbers implements Iterable<readonly [id: number, number: number]> {
  private readonly blocks: (Int32Array | undefined)[] = [];

  /** Undefined: the set has none. */
  get(id: number): number | undefined {
    const found = this.blocks[(id - 1) >>> blockBits]?.[(id - 1) & (setsPerBlock - 1)];
    return found === 0 ? undefined : found;
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  set(id: number, number: number): void {
    this.block((id - 1) >>> blockBits)[(id - 1) & (setsPerBlock - 1)] = number;
  }

  /** The numbers of a block by place, 0 where a set has none; what is written to it counts. */
  block(block: number): Int32Array {
    const numbers = this.blocks[block] ?? new Int32Array(setsPerBlock);
    this.blocks[block] = numbers;
    return numbers;
  }

  /** The distinct numbers, ascending. @param highest of them */
  distinct(highest: number): number[] {
    const isUsed = new Uint8Array(highest + 1);
    for (const numbers of this.blocks) {
      if (numbers === undefined) continue;
      for (let place = 0; place < setsPerBlock; place += 1) isUsed[numbers[place] ?? 0] = 1;
    }
    const distinct: number[] = [];
    for (let number = 1; number <= highest; number += 1) if (isUsed[number] === 1) distinct.push(number);
    return distinct;
  }

  /** Ids in ascending order. */
  *keys(): Generator<number> {
    for (const [id] of this) yield id;
  }

  *[Symbol.iterator](): Generator<readonly [id: number, number: number]> {
    for (const [block, numbers] of this.blocks.entries()) {
      if (numbers === undefined) continue;
      for (let place = 0; place < setsPerBlock; place += 1) {
        const number = numbers[place] ?? 0;
        if (number > 0) yield [block * setsPerBlock + place + 1, number];
      }
    }
  }
}

/** Package sets by the package versions in question that they contain. */
export interface SetsByVersion {
  /** By id of a set: an index into `held`. Sets that contain no version in question have no entry. */
  readonly heldOf: SetNumbers;
  /** The distinct combinations of versions that sets contain, ascending; entries to which no set refers are empty. */
  readonly held: readonly (readonly PackageVersionId[])[];
}

/** The first and last id of some sets. */
export interface SetRange {
  readonly first: number;
  readonly last: number;
}
