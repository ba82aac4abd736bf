import type { Page } from 'playwright-core'

/** What a screen reader would call the element that has the keyboard. */
const FOCUSED_NAME = `(() => {
  const { labels, textContent } = document.activeElement
  const name = labels?.length ? labels[0].textContent : textContent
  return name.trim().replace(/\\s+/g, ' ')
})()`

/** More than any page has controls, twice over: the end of a page goes on at its start. */
const MOST_TABS = 120

/** Moves the keyboard to the control of a name, as who has no mouse. */
export async function tabTo(page: Page, name: string) {
  for (let count = 0; count < MOST_TABS; count++) {
    if ((await page.evaluate<string>(FOCUSED_NAME)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No control “${name}” at ${page.url()}`)
}

/** Types into the field of a label, in place of what it held. */
export async function typeInto(page: Page, label: string, text: string) {
  await tabTo(page, label)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Presses a button or follows a link, and waits for the page behind it. */
export async function press(page: Page, name: string) {
  await tabTo(page, name)
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
}
