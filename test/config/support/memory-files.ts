import type { Files } from '../../../src/platform/files.ts';

export interface MemoryFile {
  readonly content: string;
  /** True when others may read it. */
  readonly open?: boolean;
}

/** Files in memory, for reading only. */
export function memoryFiles(files: Readonly<Record<string, MemoryFile>>): Files {
  const unplayed = (): never => {
    throw new Error('not played');
  };
  return {
    makePrivateDirectory: unplayed,
    makeTemporaryDirectory: unplayed,
    checkDirectory: unplayed,
    read: unplayed,
    readPrivate: unplayed,
    readNamed(path) {
      const file = files[path];
      return file ? { content: file.content, isPrivate: !file.open } : null;
    },
    replacePrivate: unplayed,
    removeLeftovers: unplayed,
    remove: unplayed,
  };
}
