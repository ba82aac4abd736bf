import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { htmlOf } from '../account/person.ts'
import { useGithub } from './environment_github.ts'
import { administrator } from './settings_browser.ts'

/* GitHub has no discovery document: the answer to an invalid code shows if it knows the client. */

test.group('External providers | GitHub of the environment', (group) => {
  const github = useGithub(group)

  async function tryOut(client: ApiClient) {
    const { headers } = await signedIn(client, await createAdmin())
    const response = await client.post('/external-providers/github/test').headers(headers)
    response.assertStatus(200)
    return response.body()
  }

  test('an answer of {status} “{error}” is {ok}')
    .with([
      { status: 200, error: 'bad_verification_code', ok: true, words: 'knows this client ID' },
      { status: 200, error: 'incorrect_client_credentials', ok: false, words: 'refuses' },
      { status: 404, error: 'Not Found', ok: false, words: 'refuses' },
      { status: 400, error: 'invalid_grant', ok: false, words: 'not GitHub' },
    ])
    .run(async ({ client, assert }, { status, error, ok, words }) => {
      github.behaviour = { refusal: { status, error } }
      const result = await tryOut(client)
      assert.equal(result.ok, ok)
      assert.include(result.message, words)
    })

  test('an answer {instead} is told in our words')
    .with([
      { instead: 'error', words: 'not GitHub' },
      { instead: 'html', words: 'not GitHub' },
      { instead: 'nonsense', words: 'not GitHub' },
    ] as const)
    .run(async ({ client, assert }, { instead, words }) => {
      github.behaviour = { instead }
      const result = await tryOut(client)
      assert.isFalse(result.ok)
      assert.include(result.message, words)
      assert.notInclude(result.message, 'secret-of-a-page')
    })

  test('one that does not answer is told in our words', async ({ client, assert, cleanup }) => {
    await github.stop()
    cleanup(() => github.start())
    const result = await tryOut(client)
    assert.deepEqual(result, {
      ok: false,
      message: 'No server answers at this address, or its certificate is not trusted.',
    })
    const { send } = await administrator()
    const page = await htmlOf(send('/providers/github/test', {}))
    assert.include(page, result.message)
  })
})
