import { listSettings } from '#settings/list_settings'
import { createAdmin } from '#tests/support/fixtures'
import { htmlOf, person } from '../account/person.ts'

export const PATH = '/admin/settings'

/** Opens the settings page as an administrator. */
export async function administrator({ isOld = false } = {}) {
  const user = await createAdmin()
  const { browser } = await person({ user, isOld })
  const open = () => htmlOf(browser.request(PATH))
  const send = (path: string, fields: Record<string, string>) =>
    browser.submit(PATH, fields, `${PATH}${path}`)
  return { user, browser, open, send }
}

/** Returns the fields of the page as a browser sends them. */
export async function fieldsWith(
  changes: Record<string, string>,
  before: Record<string, string> = {}
) {
  const { etag } = await listSettings()
  const names = Object.keys(changes)
  const shown = names.map((name): [string, string] => [`before_${name}`, before[name] ?? ''])
  return { etag, ...Object.fromEntries(shown), ...changes }
}
