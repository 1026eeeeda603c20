import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../client/operation.ts';
import { LEFT_OUT, operationTableOf } from '../../packaging/operation-table.ts';
import { operationsOf } from '../support/document-operations.ts';
import { gatewayDocument } from '../support/gateway-document.ts';

let table: Readonly<Record<string, Operation>>;
let documented: readonly string[];
beforeAll(async () => {
  const document = await gatewayDocument();
  table = operationTableOf(document);
  documented = operationsOf(document).map(({ operation }) => operation.operationId ?? '');
});

const named = (which: (operation: Operation) => boolean): string[] =>
  Object.keys(table)
    .filter((name) => which(table[name] ?? expect.fail()))
    .toSorted();

/** A document of one operation. */
const documentOf = (operation: object, method = 'post') => ({
  paths: { '/api/v1/x': { [method]: { operationId: 'x', responses: {}, ...operation } } },
});

describe('the operations of the client', () => {
  it('are all those of the document, but for those that are no calls of a program', () => {
    const all = [...Object.keys(table), ...Object.keys(LEFT_OUT)];
    expect(all.toSorted()).toEqual(documented.toSorted());
  });

  it('have a key wherever something is placed or changed at a broker', () => {
    const keyed = named(({ keyIn }) => keyIn !== null);
    const changes = Object.keys(table).filter((name) =>
      /^(place|modify|deleteTrigger|cancelOrder|cancelAll|startExit|closeAll|resolve)/.test(name),
    );
    expect(changes.length).toBeGreaterThan(10);
    expect(keyed).toEqual(changes.toSorted());
    expect(table.placeBasket?.keyIn).toBe('body');
  });

  it('are repeated without a key only where they read or delete', () => {
    const once = named(({ keyIn, repeatable }) => keyIn === null && !repeatable);
    expect(once).toEqual([
      ...[
        'addHook',
        'addKey',
        'addWebhook',
        'arm',
        'changeHook',
        'changeKey',
        'reviveWebhook',
        'rotateHook',
        'rotateKey',
      ],
      ...['setKeyKillSwitch', 'setKillSwitch', 'signIn'],
    ]);
    const posts = named(({ method, reads }) => method !== 'GET' && reads);
    expect(posts).toEqual(['createSignInLink', 'createStreamTicket', 'getMargins', 'signOut']);
  });
});

describe('an operation that the client could not send', () => {
  const json = { 200: { content: { 'application/json': {} } } };
  it.each([
    [{ parameters: [{ in: 'query', name: 'timeoutMs' }] }, /another meaning for timeoutMs/],
    [{ parameters: [{ in: 'header', name: 'X-Other' }] }, /does not send X-Other/],
    [{ responses: { 200: { content: { 'text/html': {} } } } }, /reads neither of text\/html/],
    [{ responses: { 302: {} } }, /reads neither/],
  ])('ends the build: %j', (operation, told) => {
    expect(() => operationTableOf(documentOf({ responses: json, ...operation }))).toThrow(told);
  });

  it('ends the build where its method is none of the client', () => {
    const document = documentOf({ responses: json }, 'put');
    expect(() => operationTableOf(document)).toThrow(/does not send PUT/);
  });
});
