import { test } from '@japa/runner'
import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import { createAdmin } from '#tests/support/fixtures'
import { visitAs, withBrowser } from './visitor.ts'

/** What is visible of the page besides its main text. */
const SURROUNDINGS = `[...document.querySelectorAll('button, nav, header, .button, .actions')]
  .filter((element) => element.checkVisibility())
  .map((element) => element.outerHTML.slice(0, 80))`

const SHARE_OF_WIDTH = `document.querySelector('#codes').closest('.card')
  .getBoundingClientRect().width / innerWidth`

/** Turns the second factor on; the page then shows the backup codes. */
async function enrol(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  const shown = await page.getByLabel('Secret').innerText()
  const secret = shown.replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(await generate({ secret }))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.locator('#codes').waitFor()
}

/** Returns the number of sheets that the page takes in print. */
async function countSheets(page: Page) {
  const pdf = await page.pdf({ format: 'A4' })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length
}

test.group('Backup codes on paper', (group) => {
  withBrowser(group)

  test('are one sheet without buttons or navigation: {$self}')
    .with(['/account/security', '/admin/account/security'])
    .run(async ({ assert }, path) => {
      const { page } = await visitAs(await createAdmin(), { path, idleMinutes: 1 })
      await enrol(page)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      assert.deepEqual(await page.evaluate<string[]>(SURROUNDINGS), [])
      assert.isAbove(Number(await page.evaluate(SHARE_OF_WIDTH)), 0.9)
      assert.lengthOf(await page.locator('#codes code').all(), 10)
      assert.equal(await countSheets(page), 1)
      const ground = 'getComputedStyle(document.body).backgroundColor'
      assert.equal(await page.evaluate(ground), 'rgba(0, 0, 0, 0)')
    })
})
