import { FileWriteError, UnsafeFileError, type Files } from '../../../src/platform/files.ts';

/** Files in memory, with a disk that can be full and files that others can read. */
export interface MemoryFiles extends Files {
  readonly contents: Map<string, string>;
  readonly readableByOthers: Set<string>;
  full: boolean;
}

export function memoryFiles(): MemoryFiles {
  const contents = new Map<string, string>();
  const readableByOthers = new Set<string>();
  const files: MemoryFiles = {
    contents,
    readableByOthers,
    full: false,
    makePrivateDirectory: () => undefined,
    makeTemporaryDirectory: (prefix) => prefix,
    checkDirectory: () => undefined,
    read: (path) => contents.get(path) ?? null,
    readPrivate(path) {
      if (readableByOthers.has(path)) throw new UnsafeFileError(`chmod 600 ${path}`);
      return contents.get(path) ?? null;
    },
    readNamed(path) {
      const content = contents.get(path);
      return content === undefined ? null : { content, isPrivate: !readableByOthers.has(path) };
    },
    replacePrivate(path, content) {
      if (files.full) {
        throw new FileWriteError(path, new Error('ENOSPC: no space left on device'));
      }
      contents.set(path, content);
    },
    removeLeftovers: () => undefined,
    remove: (path) => void contents.delete(path),
  };
  return files;
}
