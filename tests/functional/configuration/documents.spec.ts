import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration } from '#configuration/apply/apply'
import { configurationFile } from '#tests/support/configuration'

const SECRET = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'

test.group('Configuration files | documentation', () => {
  test('the example has no fault', async ({ assert, cleanup }) => {
    process.env.GRAFANA_SECRET = SECRET
    cleanup(() => {
      delete process.env.GRAFANA_SECRET
    })
    const document = readFileSync('docs/configuration-files.md', 'utf8')
    const [, example] = /```yaml\n([\s\S]*?)```/.exec(document)!
    const file = await configurationFile(example.replace('file:/run/secrets/deploy', 'file:deploy'))
    await writeFile(join(dirname(file), 'deploy'), SECRET)
    const { managed } = await applyConfiguration([file], { actor: SYSTEM, isCheck: true })
    assert.equal(managed, 5)
  })
})
