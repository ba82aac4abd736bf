import { htmlOf, person } from '../account/person.ts'
import type User from '#models/user'

interface Proved {
  amr: string[]
  isOld?: boolean
}

/** A browser in the console, which sends every form with the CSRF token of one page. */
export async function visitor(admin: User, { amr, isOld }: Proved) {
  const session = { method: 'password', amr }
  const { browser, sessionId } = await person({ user: admin, session, isOld })
  const page = await htmlOf(browser.request('/admin/account'))
  const csrf = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(page)![1]
  const open = (path: string) => browser.request(path)
  const submit = (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ _csrf: csrf, ...fields })
    return browser.request(path, { method: 'POST', body })
  }
  return { browser, sessionId, open, submit }
}
