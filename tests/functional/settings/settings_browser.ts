import { createAdmin } from '#tests/support/fixtures'
import { htmlOf, person } from '../account/person.ts'

export const PATH = '/admin/settings'

/** An administrator on the page of settings. */
export async function administrator({ isOld = false } = {}) {
  const user = await createAdmin()
  const { browser } = await person({ user, isOld })
  const open = () => htmlOf(browser.request(PATH))
  const send = (path: string, fields: Record<string, string>) =>
    browser.submit(PATH, fields, `${PATH}${path}`)
  return { user, browser, open, send }
}
