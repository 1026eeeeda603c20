import type { HttpRequest } from '../../src/platform/http.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { fieldName, isListed, leavesOf, type Json } from './field-paths.ts';

/** A reply of a broker, and the routes that answer from it. */
export interface Published {
  /** As the list in docs names it: `holdings`. */
  readonly name: string;
  /** The broker's path, as a request has it. */
  readonly path: RegExp;
  readonly reply: Json;
  /** What a caller is told, as one value; given nothing but a rig whose broker answers the reply. */
  readonly ask: (rig: Rig) => Promise<unknown>;
  /** Another value for a leaf for which one of the same kind makes no sense; null for the usual one. */
  readonly another?: (path: string, value: Json) => Json;
}

export interface FieldReport {
  /** Fields that no route answers although the docs do not list them. */
  readonly lost: readonly string[];
  /** Fields that the docs list although a route answers them. */
  readonly answered: readonly string[];
  /** Fields that the docs list although the reply does not have them. */
  readonly unknown: readonly string[];
}

export const NOTHING_LOST: FieldReport = { lost: [], answered: [], unknown: [] };

/** The reply that the broker gives instead of its own; null while it gives its own. */
export interface Scripted {
  path: RegExp | null;
  reply: Json;
}

export const scripted = (): Scripted => ({ path: null, reply: null });

export const altering =
  (script: Scripted, envelope: (data: Json) => Json): NonNullable<RigOptions['alter']> =>
  ({ url }: HttpRequest, body: string) =>
    script.path?.test(new URL(url).pathname) === true
      ? JSON.stringify(envelope(script.reply))
      : body;

/** Changes every leaf of a reply, one at a time, and looks whether the answer is another one. */
export async function reportOn(
  rig: Rig,
  script: Scripted,
  { name, path, reply, ask, another }: Published,
  listed: readonly string[],
): Promise<FieldReport> {
  const answerTo = async (given: Json): Promise<string> => {
    Object.assign(script, { path, reply: given });
    return JSON.stringify(await ask(rig));
  };
  const lost: string[] = [];
  const answered: string[] = [];
  const usual = await answerTo(reply);
  const leaves = leavesOf(reply, another);
  for (const leaf of leaves) {
    const full = fieldName(name, leaf.path);
    const isSeen = (await answerTo(leaf.changed)) !== usual;
    if (!isSeen && !isListed(full, listed)) lost.push(full);
    if (isSeen && isListed(full, listed)) answered.push(full);
  }
  // An answer that changes by itself would make every field look answered.
  if ((await answerTo(reply)) !== usual) throw new Error(`${name}: the answer changes by itself`);
  script.path = null;
  const names = leaves.map(({ path: leaf }) => fieldName(name, leaf));
  const unknown = listed
    .filter((each) => each.split(/[.[]/)[0] === name)
    .filter((each) => !names.some((field) => isListed(field, [each])));
  return { lost, answered, unknown };
}

/** The data of a read of now; fails the test where there is none. */
export async function dataOf(rig: Rig, path: string): Promise<unknown> {
  return answerOf(rig, `${path}${path.includes('?') ? '&' : '?'}maxAgeMs=0`);
}

/** The same of a read that is always of now. */
export async function answerOf(rig: Rig, path: string): Promise<unknown> {
  const reply = await rig.get(path);
  if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.text}`);
  return reply.body.data;
}
