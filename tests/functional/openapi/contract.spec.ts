import { E_LAST_ADMIN } from '#auth/errors'
import { test } from '@japa/runner'
import { findBreach } from '#tests/support/contract'
import { createUser } from '#tests/support/fixtures'
import UserTransformer from '#transformers/user_transformer'
import { errorBody } from '#exceptions/problem'
import { problemOf } from '#openapi/responses'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'Answers are compared with the document, wherever their content is from.')

const profile = { method: 'GET', path: '/auth/profile', status: 200, type: 'application/json' }

test.group('OpenAPI | answers', () => {
  test('an answer that matches the description passes', async ({ assert }) => {
    const record = new UserTransformer(await createUser()).single({})
    assert.isNull(await findBreach({ ...profile, body: record }))
    assert.isNull(await findBreach({ ...profile, path: '/api/v1/auth/profile?x', body: record }))
  })

  test('a status that is not described fails', async ({ assert }) => {
    const breach = await findBreach({ ...profile, status: 418, body: {} })
    assert.match(breach!, /^GET \/auth\/profile answered 418: describe it in app\/openapi/)
  })

  test('a code that is not described fails', async ({ assert }) => {
    const body = errorBody(problemOf(E_LAST_ADMIN), 'trace-1')
    const breach = await findBreach({ ...profile, status: 401, body })
    assert.match(breach!, /answered 401 E_LAST_ADMIN/)
  })

  test('a missing or additional field fails', async ({ assert }) => {
    const { nickname, ...rest } = new UserTransformer(await createUser()).single({})
    assert.match((await findBreach({ ...profile, body: rest }))!, /'nickname'/)
    const surplus = { ...rest, nickname, passwordHash: 'x' }
    assert.match((await findBreach({ ...profile, body: surplus }))!, /additional properties/)
  })

  test('the client of every test checks its answers', async ({ client, assert }) => {
    const { paths } = await import('#openapi/document').then(({ apiDocument }) => apiDocument())
    const { responses } = paths['/health/live'].get
    const { 200: live, ...others } = responses
    paths['/health/live'].get.responses = others
    await assert.rejects(() => client.get('/health/live').send(), /answered 200: describe it/)
    paths['/health/live'].get.responses = { 200: live, ...others }
  })
})
