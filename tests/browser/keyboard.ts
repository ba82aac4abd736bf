import type { Page } from 'playwright-core'

/** The name by which a screen reader would announce the focused element. */
const FOCUSED_NAME = `(() => {
  const { labels, textContent } = document.activeElement
  const name = labels?.length ? labels[0].textContent : textContent
  return name.trim().replace(/\\s+/g, ' ')
})()`

/** More than twice the controls of any page: after its end, the focus returns to its start. */
const MOST_TABS = 120

/** Moves the focus to the control with this name, like a person without a mouse. */
export async function tabTo(page: Page, name: string) {
  for (let count = 0; count < MOST_TABS; count++) {
    if ((await page.evaluate<string>(FOCUSED_NAME)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No control “${name}” at ${page.url()}`)
}

/** Types into the field with this label, and replaces its content. */
export async function typeInto(page: Page, label: string, text: string) {
  await tabTo(page, label)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Presses a button or follows a link, and waits for the next page. */
export async function press(page: Page, name: string) {
  await tabTo(page, name)
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
}
