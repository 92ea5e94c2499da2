import { checkParseSchema, isAuthorized, validate } from '@cedar-policy/cedar-wasm/nodejs';
import { expect, test } from 'vitest';
import { actionManifest, cedarSchema } from '#mcp/listing/actionSchema.ts';
import { tools } from '#assemble.ts';

const schema = cedarSchema(tools);

test('Cedar reads the schema', () => {
  expect(checkParseSchema(schema)).toEqual({ type: 'success' });
  for (const { name } of tools) expect(schema).toContain(`action "${name}" in `);
});

test.each([
  ['permit(principal, action in Loom::Action::"Read", resource);', true],
  ['permit(principal, action == Loom::Action::"ctx_get", resource) when { context.input has id };', true],
  [
    'permit(principal, action == Loom::Action::"run_python", resource) when { context.input.code like "print*" };',
    true,
  ],
  ['permit(principal, action == Loom::Action::"run_python", resource) when { context.input.cod == "" };', false],
  ['permit(principal, action == Loom::Action::"ctx_got", resource);', false],
  ['permit(principal, action == Loom::Action::"ctx_get", resource) when { context.input.id == "d1" };', false],
])('a policy is checked against it: %s', (policy, right) => {
  const answer = validate({ schema, policies: { staticPolicies: policy } });
  expect(answer.type).toBe('success');
  if (answer.type === 'success') expect(answer.validationErrors.length === 0).toBe(right);
});

test.each([
  ['ctx_get', { id: 'd1' }, 'allow'],
  ['ctx_store', { text: 'x' }, 'deny'],
  ['ctx_purge_session', { session: 's' }, 'allow'],
  ['run_python', { code: '1' }, 'deny'],
])('a call of %s under "read and write": %s', (name, input, decision) => {
  const uid = { type: 'Loom::Agent', id: 'a' };
  const drawer = { type: 'Loom::Drawer', id: 'd' };
  const answer = isAuthorized({
    principal: uid,
    action: { type: 'Loom::Action', id: name },
    resource: drawer,
    context: { input },
    schema,
    validateRequest: true,
    policies: {
      staticPolicies: 'permit(principal, action in [Loom::Action::"Read", Loom::Action::"Write"], resource);',
    },
    entities: [
      { uid, attrs: { client: 'c', folder: '/f' }, parents: [] },
      { uid: drawer, attrs: { folder: '/d' }, parents: [] },
    ],
  });
  expect(answer).toMatchObject({ type: 'success', response: { decision } });
});

test('the JSON form has every tool with its schema and its effect', () => {
  const { tools: listed } = actionManifest(tools);
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(listed.find(({ name }) => name === 'ctx_search')).toMatchObject({
    inputSchema: { properties: { explain: { type: 'boolean' } } },
    annotations: { readOnlyHint: true },
    loom: { effect: 'read', toolsets: ['core', 'drawer', 'all'] },
  });
});
