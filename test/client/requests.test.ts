import { describe, expect, it } from 'vitest';
import { clientFor, type ClientOptions } from '../../client/client.ts';
import { newKey } from '../../client/runtime.ts';
import { OPERATIONS, scriptedGateway, type Step, success } from './support/scripted-gateway.ts';

const OPTIONS = { baseUrl: 'http://127.0.0.1:8420', key: 'abg_test' };

describe('a request', () => {
  it('has its parameters in the path and the query, and the key of the gateway in a header', async () => {
    const { client, sent, settle } = scriptedGateway(() => success({ id: 'x' }));
    await settle(client.getOrder({ id: 'alt:26/11 23', broker: 'alt' }));
    expect(sent).toEqual([
      {
        at: 0,
        method: 'GET',
        url: 'http://127.0.0.1:8420/api/v1/orders/alt%3A26%2F11%2023?broker=alt',
        headers: { Accept: 'application/json', Authorization: 'Bearer abg_test' },
        body: null,
      },
    ]);
  });

  it('says that its body is JSON, and asks for text where the operation answers text', async () => {
    const text: Step = { kind: 'answer', status: 200, body: 'up 1\n' };
    const { client, sent, settle } = scriptedGateway(({ url }) =>
      url.endsWith('/metrics') ? text : success({}),
    );
    await settle(client.modifyOrder({ id: 'ord_1', body: { quantity: 2 }, key: 'k' }));
    const metrics = await settle(client.getMetrics());
    expect(metrics.data).toBe('up 1\n');
    expect(sent.map(({ headers }) => [headers['Content-Type'], headers.Accept])).toEqual([
      ['application/json', 'application/json'],
      [undefined, 'text/plain'],
    ]);
  });

  it.each([
    ['a parameter that the operation has not', { id: 'ord_1', brokr: 'alt' }, /no parameter brokr/],
    ['a path parameter that is missing', {}, /needs id/],
    ['a path parameter that is empty', { id: '' }, /needs id/],
    ['a path parameter that names another path', { id: '..' }, /cannot be \.\./],
    ['a key where none is taken', { id: 'ord_1', key: 'k' }, /takes no idempotency key/],
    ['a timeout of nothing', { id: 'ord_1', timeoutMs: 0 }, /timeoutMs is 0/],
  ])('is refused before it leaves with %s', async (_, input, told) => {
    const { client, sent } = scriptedGateway(() => success({}));
    const call = client.getOrder(input as { readonly id: string });
    await expect(call).rejects.toThrow(told);
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  it.each(['', 'two\nlines', 'ключ', ' led', 'x'.repeat(65)])(
    'is refused with the idempotency key %j, which no header carries unchanged',
    async (key) => {
      const { client, sent } = scriptedGateway(() => success({}));
      await expect(client.cancelOrder({ id: 'ord_1', key })).rejects.toThrow(/printable/);
      expect(sent).toEqual([]);
    },
  );
});

describe('the pages of a list', () => {
  const page = (ids: readonly string[], nextCursor: string | null): Step =>
    success(
      ids.map((id) => ({ id })),
      { meta: { nextCursor } },
    );

  it('are asked for one after the other, with the cursor of the page before', async () => {
    const answers = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)];
    const { client, sent, settle } = scriptedGateway(
      (_, count) => answers[count - 1] ?? page([], null),
    );
    const ids: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { id } of client.items('getOrders', { status: 'open' })) ids.push(id);
    };
    await settle(read());
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      ...['?status=open', '?status=open&cursor=c1', '?status=open&cursor=c2'],
    ]);
  });

  it('are not asked for beyond what is read', async () => {
    const { client, sent, settle } = scriptedGateway(() => page(['a'], 'c1'));
    const first = await settle(client.pages('getOrders').next());
    expect(first.value).toMatchObject({ data: [{ id: 'a' }] });
    expect(sent).toHaveLength(1);
  });

  it('end with an error where a page names itself as the next', async () => {
    const { client, settle } = scriptedGateway(() => page(['a'], 'c1'));
    const read = async (): Promise<void> => {
      for await (const each of client.pages('getOrders')) void each;
    };
    await expect(settle(read())).rejects.toThrow(/names itself/);
  });

  it('are those of lists alone', async () => {
    const text: Step = { kind: 'answer', status: 200, body: 'up 1' };
    const { client, settle } = scriptedGateway(() => text);
    const pages = client.pages('getMetrics' as 'getOrders');
    await expect(settle(pages.next())).rejects.toThrow('does not answer pages');
  });
});

describe('a client', () => {
  it.each([
    [{ baseUrl: '127.0.0.1:8420' }, /baseUrl is "127.0.0.1:8420"/],
    [{ baseUrl: 'ftp://127.0.0.1' }, /must be like/],
    [{ baseUrl: 'http://me:secret@127.0.0.1' }, /user name/],
    [{ baseUrl: 'http://127.0.0.1:8420/api/v1/' }, /leave \/api\/v1 out/],
    [{ key: '' }, /key is empty/],
    [{ key: 'Bearer x' }, /key is empty, or has spaces/],
    [{ timeoutMs: Number.NaN }, /timeoutMs is NaN/],
    [{ patienceMs: -1 }, /patienceMs is -1/],
  ] satisfies readonly (readonly [Partial<ClientOptions>, RegExp])[])(
    'is refused with %j',
    (wrong, told) => {
      expect(() => clientFor(OPERATIONS, { ...OPTIONS, ...wrong })).toThrow(told);
    },
  );

  it('takes an address with a path, as behind a proxy, and a slash at its end', async () => {
    const urls: string[] = [];
    const client = clientFor(OPERATIONS, {
      ...{ ...OPTIONS, baseUrl: 'https://trading.example/gateway/' },
      runtime: {
        fetch: (url) => {
          urls.push(String(url));
          return Promise.resolve(Response.json({ status: 'success', data: {} }));
        },
      },
    });
    await client.getOrder({ id: 'a' });
    expect(urls).toEqual(['https://trading.example/gateway/api/v1/orders/a']);
  });

  it('makes keys that the gateway takes, each of its own', () => {
    const keys = Array.from({ length: 100 }, newKey);
    expect(new Set(keys).size).toBe(100);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  });
});
