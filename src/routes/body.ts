import express, { type Request, type RequestHandler, type Response } from 'express';
import { GatewayProblem } from '../domain/problem.ts';

export const JSON_LIMIT = 256 * 1024;

/** Names that can change an object's prototype when code merges a body. */
const POISONED = new Set(['__proto__', 'constructor', 'prototype']);

/** A JSON body of at most 256 KiB; undefined when there is none. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!isJson(request.headers['content-type'])) {
    throw new GatewayProblem({
      code: 'unsupported_media_type',
      detail: 'The body must be JSON: send the header Content-Type: application/json.',
    });
  }
  const text = await readText(request, response, JSON_LIMIT);
  try {
    return JSON.parse(text, refusePoison);
  } catch (error) {
    if (error instanceof GatewayProblem) throw error;
    // The parser's message quotes a part of the body.
    throw new GatewayProblem({ code: 'invalid_request', detail: 'The body is not valid JSON.' });
  }
}

const readers = new Map<number, RequestHandler>();

function readerOf(limit: number): RequestHandler {
  const made = readers.get(limit) ?? express.raw({ type: () => true, limit, inflate: false });
  readers.set(limit, made);
  return made;
}

/** A body as text, of any type. Compressed bodies are refused: they can expand to any size. */
export async function readText(
  request: Request,
  response: Response,
  limit: number,
): Promise<string> {
  const read = readerOf(limit);
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new GatewayProblem({ code: 'invalid_request', detail: 'The body is not UTF-8.' });
  }
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(contentType ?? '');
}

function refusePoison(this: unknown, key: string, value: unknown): unknown {
  if (!POISONED.has(key)) return value;
  throw new GatewayProblem({
    code: 'invalid_request',
    detail: `The body contains the name ${key}, which is not allowed: remove it.`,
  });
}
