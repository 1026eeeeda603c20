import { fieldOf } from './fields.ts';

/** The message of a thrown value; any value can be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code that the system or a library gives an error, such as `ENOENT`; undefined without one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = fieldOf(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}
