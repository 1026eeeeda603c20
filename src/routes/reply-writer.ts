import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { ProblemFields } from '../domain/problem.ts';
import type { Reply } from './define-route.ts';
import { PROBLEM_TYPE, problemOf } from './problems.ts';
import { notesOf } from './request-log.ts';

const REALM = 'Bearer realm="altbroker-gateway"';

/** Writes a handler's reply to the response. `nonce` makes a new nonce for each page. */
export function writeReply(
  request: Request,
  response: Response,
  reply: Reply,
  nonce: () => string,
): void {
  response.set({ ...reply.headers });
  const { content } = reply;
  switch (content.kind) {
    case 'json':
      response.status(reply.status).json(content.value);
      return;
    case 'problem':
      writeProblem(response, content.fields, reply.status);
      return;
    case 'empty':
      response.status(reply.status).end();
      return;
    case 'html': {
      const once = nonce();
      allowStyle(request, response, once);
      response.status(reply.status).type('html').send(content.page(once));
      return;
    }
  }
}

export function writeProblem(response: Response, fields: ProblemFields, status?: number): void {
  const problem = problemOf(fields, notesOf(response).requestId, status);
  if (fields.retryAfterMs !== undefined) {
    response.set('Retry-After', String(Math.ceil(fields.retryAfterMs / 1000)));
  }
  if (fields.code === 'unauthorized') response.set('WWW-Authenticate', REALM);
  if (fields.code === 'forbidden') {
    response.set('WWW-Authenticate', `${REALM}, error="insufficient_scope"`);
  }
  response.status(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Allows no resources and no frames; `style` is the nonce of the page's own style. */
export function contentPolicy(style: string | null) {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...(style === null ? {} : { styleSrc: [`'nonce-${style}'`] }),
    },
  });
}

function allowStyle(request: Request, response: Response, nonce: string): void {
  contentPolicy(nonce)(request, response, () => undefined);
}
