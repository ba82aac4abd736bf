import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { createAdmin } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { ask, ELSEWHERE } from '#tests/support/refusals'
import { htmlOf, person } from '../account/person.ts'

test.group('Refusals | list of applications', () => {
  test('counts what each was refused, and leads there', async ({ assert }) => {
    const mark = randomUUID().slice(0, 8)
    const [refused, other] = [
      await application({ name: `Refused ${mark}` }),
      await application({ name: `Other ${mark}` }),
    ]
    await ask(refused, { redirect_uri: ELSEWHERE })
    await ask(refused, { redirect_uri: `${ELSEWHERE}/2` })
    const { browser } = await person({ user: await createAdmin() })
    const page = await htmlOf(browser.request(`/admin/clients?search=${mark}`))
    const path = `/admin/clients/${refused.client.id}#refusals`
    assert.match(page, new RegExp(`href="${path}">2 requests refused`))
    assert.include(page, `Other ${mark}`)
    assert.notInclude(page, `${other.client.id}#refusals`)
  })
})
