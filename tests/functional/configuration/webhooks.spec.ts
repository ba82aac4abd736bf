import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration } from '#configuration/apply/apply'
import { exportConfiguration } from '#configuration/export/export'
import { createWebhook, updateWebhook } from '#webhooks/endpoints'
import { decryptSecrets } from '#webhooks/secrets'
import { newWebhookSecret } from '#webhooks/signature'
import { apply, configurationFile } from '#tests/support/configuration'
import { removeWebhooks, silenceMails } from '#tests/support/webhook_endpoints'

const rowOf = (name: string) => db.from('webhooks').where({ name }).first()

test.group('Configuration files | webhooks', (group) => {
  silenceMails(group)
  /** All tests together share the limit of webhooks. */
  group.each.setup(async () => {
    await removeWebhooks()
    return () => removeWebhooks()
  })

  test('a file makes and changes a webhook with its secret', async ({ assert }) => {
    const [name, secret] = [`Configured ${randomUUID()}`, newWebhookSecret()]
    const text = (event: string) => `webhooks:
  - name: ${name}
    url: https://hooks.example.org/in
    events: ["${event}"]
    secretFrom: file:hook
`
    const file = await configurationFile(text('user.*'))
    await writeFile(join(dirname(file), 'hook'), secret)
    const once = () => applyConfiguration([file], { actor: SYSTEM })
    const first = await once()
    assert.deepEqual([first.changes[0].action, first.changes[0].kind], ['create', 'webhook'])
    assert.deepEqual(decryptSecrets(await rowOf(name), false), [secret])
    const second = await once()
    assert.deepEqual(second.changes, [])
    await writeFile(file, text('*'))
    const third = await once()
    assert.deepEqual(third.changes[0].fields, ['events'])
  })

  test('the first secret of a file ends the one that was shown, {what}, but no later one')
    .with([
      { what: 'at once', isNamedBefore: false },
      { what: 'also of a webhook that it named', isNamedBefore: true },
    ])
    .run(async ({ assert }, { isNamedBefore }) => {
      const name = `Configured ${randomUUID()}`
      await createWebhook({ name, url: 'https://hooks.example.org/in', events: ['*'] }, SYSTEM)
      const textWith = (fields: string) => `webhooks: [{ name: ${name}, ${fields} }]`
      const file = await configurationFile(textWith('description: Before'))
      const once = () => applyConfiguration([file], { actor: SYSTEM })
      if (isNamedBefore) await once()
      await writeFile(file, textWith('secretFrom: file:hook'))
      const [first, second] = [newWebhookSecret(), newWebhookSecret()]
      const secretsAfter = async (secret: string) => {
        await writeFile(join(dirname(file), 'hook'), secret)
        await once()
        return decryptSecrets(await rowOf(name), true)
      }
      assert.deepEqual(await secretsAfter(first), [first])
      assert.deepEqual(await secretsAfter(second), [second, first])
    })

  test('a disabled webhook stays one until the file is applied', async ({ assert }) => {
    const name = `Configured ${randomUUID()}`
    const entry = `{ name: ${name}, url: https://hooks.example.org/, events: ["*"], enabled: true }`
    const text = `webhooks: [${entry}]`
    await apply(text)
    const { id } = await rowOf(name)
    const disabled = await updateWebhook(id, { enabled: false }, SYSTEM)
    assert.isFalse(disabled.enabled)
    await assert.rejects(() => updateWebhook(id, { enabled: true }, SYSTEM), /manages this/)
    const { changes } = await apply(text)
    assert.deepEqual(changes[0].fields, ['enabled'])
  })

  test('an export has it without its secret', async ({ assert }) => {
    const name = `Configured ${randomUUID()}`
    await apply(`webhooks: [{ name: ${name}, url: https://hooks.example.org/, events: ["*"] }]`)
    const { webhooks } = await exportConfiguration()
    const own = webhooks.find(({ fields }) => fields.name === name)
    assert.deepEqual(own!.fields, { name, url: 'https://hooks.example.org/', events: ['*'] })
    assert.match(own!.comment!, /^secretFrom: env:CONFIGURED_/)
  })

  test('one more than there can be is a fault of the check', async ({ assert }) => {
    const entries = Array.from(
      { length: limits.webhooks + 1 },
      () => `{ name: ${randomUUID()}, url: https://hooks.example.org/, events: ["*"] }`
    )
    const check = (count: number) =>
      apply(`webhooks: [${entries.slice(0, count).join(', ')}]`, { isCheck: true })
    const { changes } = await check(limits.webhooks)
    assert.lengthOf(changes, limits.webhooks)
    await assert.rejects(() => check(limits.webhooks + 1), /webhooks.20: There can be 20 webhooks/)
  })

  test('an address that may not be called is a fault', async ({ assert }) => {
    const entry = '{ name: Configured, url: "https://10.0.0.1/", events: ["*"] }'
    await assert.rejects(() => apply(`webhooks: [${entry}]`), /webhooks.0.url/)
  })
})
