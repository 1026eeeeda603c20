import { ConfigurationError } from '../config/configuration-error.ts';
import type { ServerSettings } from '../config/settings.ts';
import { fieldOf, messageOf } from '../platform/values.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';

/**
 * The data directory, private. Where there is none and none can be made, a temporary one, said loudly.
 * One that the user has named, or that is there, may hold orders: to start without them would be to
 * forget which keys have been used, so the start is refused. So it is where anything but files is in it
 * (UnsafeFileError).
 */
export function prepareData(
  { dataDirectory: path, dataDirectoryNamed }: ServerSettings,
  files: Files,
  log: Log,
): string {
  try {
    files.makePrivateDirectory(path);
  } catch (error) {
    const exists = fieldOf(error, 'syscall') !== 'mkdir';
    if (dataDirectoryNamed || exists) {
      throw new ConfigurationError(
        'APP_DATA_DIR',
        path,
        `a directory that can be read and written (${messageOf(error)})`,
      );
    }
    const directory = files.makeTemporaryDirectory('altbroker-gateway-');
    log.error(
      'APP_DATA_DIR cannot be used: orders and the token are kept in a temporary directory, ' +
        'and a restart will not find them',
      { path: directory, reason: messageOf(error) },
    );
    return directory;
  }
  files.checkDirectory(path);
  return path;
}
