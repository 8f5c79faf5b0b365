import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Distributes the files over the shards by size, so that all shards take about the same time. */
export class EvenShardSequencer extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {};
    const sized = files.map((file) => ({ file, path: file.moduleId, size: statSync(file.moduleId).size }));
    sized.sort((one, other) => other.size - one.size || (one.path < other.path ? -1 : 1));
    return sized.filter((_, place) => shardOf(place, count) === index).map(({ file }) => file);
  }
}

/** Alternates the direction (1, 2, 2, 1, 1, 2, ...). Otherwise the first shard would always get the larger file. */
function shardOf(place: number, count: number): number {
  const step = place % (2 * count);
  return step < count ? step + 1 : 2 * count - step;
}
