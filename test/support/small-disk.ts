import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1_024);

/** A file system of its own, in memory, that processes see which are started `within` it. */
export interface SmallDisk extends AsyncDisposable {
  /** The command that runs another one where the disk is mounted. */
  readonly within: readonly string[];
  /** Takes all space that is left, to the last block. */
  fill(): void;
  /** Gives back what `fill` took. */
  empty(): void;
}

/** Whether this system lets a process mount a disk of its own. */
export function canMount(): boolean {
  const script = 'mount -t tmpfs -o size=1m tmpfs /tmp';
  const { status } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { stdio: 'ignore' });
  return status === 0 && spawnSync('nsenter', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Mounts a disk over a directory. It is gone, with its files, when the last process in it ends. */
export async function mountSmallDisk(directory: string, megabytes: number): Promise<SmallDisk> {
  const script =
    'mount -t tmpfs -o "size=$1m,mode=0700" tmpfs "$2" && echo mounted && exec sleep 600';
  const args = ['-rm', 'sh', '-c', script, 'sh', String(megabytes), directory];
  const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => holder.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('close', () => reject(new Error('the disk could not be mounted')));
  });
  const pid = String(holder.pid);
  const filler = join('/proc', pid, 'root', directory, 'filler');
  return {
    within: ['nsenter', '-t', pid, '--user', '--mount', '--preserve-credentials'],
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (let size = CHUNK.length; size >= 1;) {
          try {
            size = Math.min(size, writeSync(file, CHUNK, 0, size));
          } catch {
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler),
    async [Symbol.asyncDispose]() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
}
