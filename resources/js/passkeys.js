/*
 | Passkeys of forms: what the browser makes of the options goes into the hidden field
 | “response”, and the form is sent as any other. Forms appear where passkeys can work.
 */

const { startAuthentication, startRegistration, browserSupportsWebAuthnAutofill } =
  SimpleWebAuthnBrowser

/** Browsers refuse passkeys at an IP address. */
const isAddress = /^[\d.]+$|:/.test(location.hostname)
const canWork = isSecureContext && SimpleWebAuthnBrowser.browserSupportsWebAuthn() && !isAddress

/* A challenge works for five minutes: a page that stays open asks for another one in time. */
const RENEWAL_MS = 240_000

function say(form, isFailed) {
  form.querySelector('[data-failed]').hidden = !isFailed
}

function send(form, response) {
  form.elements.response.value = JSON.stringify(response)
  form.submit()
}

async function loginOptions() {
  const response = await fetch('/auth/passkeys/login-options', { method: 'POST' })
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

/** Offers passkeys in the field of the e-mail; cancelling or typing on shows no error. */
async function offer(form) {
  const options = { optionsJSON: await loginOptions(), useBrowserAutofill: true }
  send(form, await startAuthentication(options))
}

async function use(form) {
  say(form, false)
  try {
    send(form, await startAuthentication({ optionsJSON: await loginOptions() }))
  } catch {
    say(form, true)
  }
}

async function create(form) {
  say(form, false)
  try {
    send(form, await startRegistration({ optionsJSON: JSON.parse(form.dataset.options) }))
  } catch {
    say(form, true)
  }
}

for (const form of canWork ? document.querySelectorAll('form[data-passkey]') : []) {
  form.hidden = false
  const ceremony = form.dataset.passkey === 'create' ? create : use
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ceremony(form)
  })
}

for (const form of canWork ? document.querySelectorAll('form[data-autofill]') : []) {
  if (await browserSupportsWebAuthnAutofill()) {
    const start = () => offer(form).catch(() => {})
    start()
    setInterval(start, RENEWAL_MS)
  }
}

for (const text of document.querySelectorAll('[data-passkey-offer]')) text.hidden = !canWork
for (const text of document.querySelectorAll('[data-passkey-refused]')) text.hidden = canWork
