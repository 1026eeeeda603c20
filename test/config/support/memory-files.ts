import { UnsafeFileError, type Files } from '../../../src/platform/files.ts';

export interface MemoryFile {
  readonly content: string;
  /** True when others may read it. */
  readonly open?: boolean;
}

/** Files that are held in memory; only reading is played. */
export function memoryFiles(files: Readonly<Record<string, MemoryFile>>): Files {
  const unplayed = (): never => {
    throw new Error('not played');
  };
  return {
    makePrivateDirectory: unplayed,
    makeTemporaryDirectory: unplayed,
    read: (path) => files[path]?.content ?? null,
    readPrivate(path) {
      if (files[path]?.open) throw new UnsafeFileError(`${path} can be read by others`);
      return files[path]?.content ?? null;
    },
    replacePrivate: unplayed,
    removeLeftovers: unplayed,
    remove: unplayed,
  };
}
