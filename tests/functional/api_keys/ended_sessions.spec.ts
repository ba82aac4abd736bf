import { test } from '@japa/runner'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'

async function endsOf({ id }: { id: string }) {
  const records = await recordsWhere((query: any) =>
    query.where({ action: 'sessions.ended', target_id: id })
  )
  return records.length
}

test.group('API keys | all sessions of a user', () => {
  test('are an event only where one ended', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['sessions:write'])
    const user = await createUser()
    const end = () => client.delete(`/users/${user.id}/sessions`).headers(headers)
    const none = await end()
    assert.deepEqual([none.status(), await endsOf(user)], [200, 0])
    await signedIn(client, user)
    const one = await end()
    assert.deepEqual([one.status(), await endsOf(user)], [200, 1])
  })
})
