/*
 | Conveniences on top of pages that work without them: one tick for a whole table,
 | copying a secret, printing, times of the reader's clock (their titles stay in UTC).
 */

const DAY = { day: 'numeric', month: 'short', year: 'numeric' }
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const { lang } = document.documentElement
const locale = lang === 'en' ? 'en-GB' : lang
const FORMATS = {
  day: new Intl.DateTimeFormat(locale, DAY),
  time: new Intl.DateTimeFormat(locale, { ...DAY, ...MINUTE }),
}

for (const time of document.querySelectorAll('time[data-local]')) {
  time.textContent = FORMATS[time.dataset.local].format(new Date(time.dateTime))
}

for (const all of document.querySelectorAll('[data-tick-all]')) {
  const form = all.closest('form')
  const ticks = [...form.querySelectorAll('input[type=checkbox][name="ids[]"]')]
  const matching = form.querySelector('input[name=all]')
  const show = () => {
    const count = ticks.filter((tick) => tick.checked).length
    const isAll = Boolean(matching?.checked)
    form.querySelector('[data-when-ticked]').hidden = count === 0 && !isAll
    form.querySelector('[data-ticked]').textContent = count
      ? `${count} ${all.dataset.some}`
      : all.dataset.none
    all.checked = count > 0 && count === ticks.length
    all.indeterminate = count > 0 && count < ticks.length
  }
  all.hidden = false
  all.addEventListener('change', () => {
    for (const tick of ticks) tick.checked = all.checked
  })
  form.addEventListener('change', show)
  addEventListener('pageshow', show)
  show()
}

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]')

for (const field of document.querySelectorAll('[data-find]')) {
  const key = field.form.querySelector('[data-find-key]')
  key.textContent = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K'
  key.hidden = false
  addEventListener('keydown', (event) => {
    const isCommand = event.key.toLowerCase() === 'k' && event.metaKey !== event.ctrlKey
    const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !isTyping(event)
    if (!isCommand && !isSlash) return
    event.preventDefault()
    if (!field.checkVisibility()) return location.assign(field.form.action)
    field.focus()
    field.select()
  })
}

for (const form of document.querySelectorAll('form[data-continue]')) form.requestSubmit()

for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.firstElementChild
  const text = label.textContent
  let timer
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).innerText)
    label.textContent = button.dataset.done
    clearTimeout(timer)
    timer = setTimeout(() => (label.textContent = text), 2_000)
  })
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
