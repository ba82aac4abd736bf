import { test } from '@japa/runner'
import { REASONS, type RefusalReason } from '#oidc/refusals/reasons'
import { countRefusal } from '#oidc/refusals/pending_refusals'
import { printable } from '#oidc/refusals/sent'
import { application, type Application } from '#tests/support/oidc'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const HOSTILE = `https://elsewhere.example.org/<img src=x onerror=alert(1)>/${'a'.repeat(300)}`

/** Adds a line for each reason: the maximum of lines on a page. */
function refuseAll({ client: { clientId } }: Application) {
  const now = Date.now()
  const [sent, times] = [printable(HOSTILE), { count: 1, firstAt: now, lastAt: now }]
  for (const [at, reason] of (Object.keys(REASONS) as RefusalReason[]).entries()) {
    countRefusal({ clientId, isTrusted: at < 10 }, { reason, sent, ...times })
  }
}

const PAGES = [
  { width: 1280, locale: 'en', colorScheme: 'light' as const },
  { width: 390, locale: 'en', colorScheme: 'light' as const },
  { width: 390, locale: 'en', colorScheme: 'dark' as const },
  { width: 320, locale: 'de', colorScheme: 'dark' as const },
  { width: 320, locale: 'fr', colorScheme: 'light' as const },
  { width: 320, locale: 'es', colorScheme: 'light' as const },
]

test.group('Console | refusals of an application', (group) => {
  withBrowser(group)

  test('hostile data fits and runs nothing at {width} pixels: {locale}, {colorScheme}')
    .with(PAGES)
    .run(async ({ assert }, { width, ...look }) => {
      const strict = { requirePkce: true, requirePar: true, requireDpop: true }
      const app = await application({ name: 'W'.repeat(100), ...strict })
      refuseAll(app)
      const { page } = await visitAs(undefined, {
        idleMinutes: 0,
        viewport: { width, height: 800 },
        ...look,
      })
      page.on('dialog', () => assert.fail('a script of the address ran'))
      await page.goto(`/admin/clients/${app.client.id}`)
      await page.locator('#refusals').waitFor()
      assert.equal(await page.locator('#refusals .item').count(), 20)
      await assertAccessible(page, assert)
    })
})
