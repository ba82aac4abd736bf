import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { AUDITED_TYPES, EVENTS } from '#events/event_types'
import { apiDocumentOf } from '#openapi/document'
import { schemaNameOf } from '#openapi/schemas/webhook_event'
import { publicActor } from '#webhooks/types/actor'
import { DESCRIBED } from '#webhooks/types/described_types'
import { FILTERS, isFilter, matchesFilter } from '#webhooks/types/filters'
import type { AuditRecord } from '#audit/trail/audit_record'
import { PUBLIC_ACTIONS, PUBLIC_TYPES, publicTypeOf } from '#webhooks/types/public_types'

const told = (action: string, details: object = {}) =>
  publicTypeOf({ action, details: JSON.stringify(details) })

test.group('Webhooks | types', () => {
  test('every action is told by a type or named private', ({ assert }) => {
    for (const action of AUDITED_TYPES) {
      const isTold = (PUBLIC_ACTIONS as string[]).includes(action)
      assert.equal(isTold, EVENTS[action].isPublic, `${action} is neither public nor private`)
    }
  })

  test('an action has one type, and an unknown one none', ({ assert }) => {
    assert.equal(told('password.reset'), 'password.changed')
    assert.equal(told('role.changed'), 'user.updated')
    assert.isNull(told('api_key.created'))
    assert.isNull(told('toString'))
  })

  test('an event that changed nothing has no type', ({ assert }) => {
    assert.equal(told('account.invited', { role: 'User' }), 'user.created')
    assert.isNull(told('account.invited'))
    assert.equal(told('refresh.reused', { sessionId: 'one' }), 'session.ended')
    assert.isNull(told('refresh.reused', { sessionId: 'one', isEnded: false }))
  })

  test('a filter is a type, a subject or everything', ({ assert }) => {
    for (const filter of ['*', 'user.*', 'user.created', 'webhook.test'])
      assert.isTrue(isFilter(filter), filter)
    for (const text of ['', 'user', 'user.', 'users.*', '*.created', 'user.create', '**'])
      assert.isFalse(isFilter(text), text)
    assert.lengthOf(new Set(FILTERS), FILTERS.length)
  })

  test('a filter matches whole words', ({ assert }) => {
    assert.isTrue(matchesFilter('user.created', ['login.failed', 'user.*']))
    assert.isTrue(matchesFilter('mfa.backup_codes_replaced', ['*']))
    assert.isTrue(matchesFilter('user.created', ['user.created']))
    assert.isFalse(matchesFilter('user.created', ['user.create', 'user', 'user.updated']))
    assert.isFalse(matchesFilter('user.created', []))
  })

  test('{actor} is told as {told.kind}')
    .with([
      { actor: 'user:u1', actorId: 'u1', told: { kind: 'user', id: 'u1' } },
      { actor: 'key:k1', actorId: 'u1', told: { kind: 'key', id: 'k1', userId: 'u1' } },
      { actor: 'client:c:1', actorId: 'u1', told: { kind: 'client', id: 'u1', clientId: 'c:1' } },
      { actor: 'cli:root', actorId: null, told: { kind: 'command', id: 'root' } },
      { actor: 'system', actorId: null, told: { kind: 'system', id: null } },
      { actor: 'anonymous', actorId: null, told: { kind: 'user', id: null } },
    ])
    .run(({ assert }, { actor, actorId, told: expected }) => {
      const shown = publicActor({ actor, actorId } as AuditRecord)
      assert.deepEqual(shown, expected as typeof shown)
    })

  test('the document describes the body of every type', async ({ assert }) => {
    const { components, webhooks } = (await apiDocumentOf('3.1')) as any
    assert.sameMembers(Object.keys(webhooks), PUBLIC_TYPES)
    for (const type of PUBLIC_TYPES) {
      const { schema } = webhooks[type].post.requestBody.content['application/json']
      assert.equal(schema.$ref, `#/components/schemas/${schemaNameOf(type)}`)
      const { properties } = components.schemas[schemaNameOf(type)]
      assert.deepEqual(properties.type.enum, [type])
    }
  })

  test('webhooks.md lists every type and what it tells', ({ assert }) => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
    const rows = [...text.matchAll(/^\| `([a-z]+\.[a-z_]+)` +\| (.+?) +\| (.*?) +\|$/gm)]
    const listed = rows.map(([, type, when, members]) => ({ type, when, members }))
    const expected = PUBLIC_TYPES.map((type) => {
      const { when, members } = DESCRIBED[type]
      return { type, when, members: members.map((name) => `\`${name}\``).join(', ') }
    })
    assert.deepEqual(listed, expected)
  })
})
