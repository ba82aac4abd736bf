/*
 | Conveniences of fields: showing a password while it is typed, ticking the rules that it
 | meets, its strength, a picture before it is uploaded, and an address that fills a form in.
 */

for (const button of document.querySelectorAll('[data-reveal]')) {
  const field = document.getElementById(button.dataset.reveal)
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.hidden = false
  button.addEventListener('click', () => show(field.type === 'password'))
  /* Sent as text, a password could be kept among the values that the browser completes. */
  field.form.addEventListener('submit', () => show(false))
}

const isMet = {
  minLength: (password, min) => [...password.normalize('NFC')].length >= Number(min),
  uppercase: (password) => /\p{Lu}/u.test(password),
  lowercase: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  special: (password) => /[!@#$%^&*]/.test(password),
}

for (const picture of document.querySelectorAll('[data-preview]')) {
  for (const name of ['name', 'color']) {
    const field = document.getElementById(`field-BRAND_${name.toUpperCase()}`)
    field?.addEventListener('change', () => {
      const url = new URL(picture.src)
      url.searchParams.set(name, field.value || field.placeholder)
      picture.src = url
    })
  }
}

/* Sixteen characters are full strength: every rule met fills one half, length the other. */
const FULL_LENGTH = 16

function strengthOf(password, { met, rules, min }) {
  if (met < rules) return (0.5 * met) / (rules + 1)
  const beyond = [...password].length - min
  return 0.5 + 0.5 * Math.min(1, (beyond + 1) / (FULL_LENGTH - min + 1))
}

for (const list of document.querySelectorAll('[data-rules-of]')) {
  const id = list.dataset.rulesOf
  const field = document.getElementById(id)
  const meter = document.querySelector(`[data-strength-of="${id}"]`)
  const tick = () => {
    const items = [...list.children]
    for (const item of items) {
      item.classList.toggle('met', isMet[item.dataset.rule](field.value, item.dataset.min))
    }
    const met = items.filter((item) => item.classList.contains('met')).length
    const min = Number(items[0].dataset.min)
    meter.hidden = field.value === ''
    meter.value = strengthOf(field.value, { met, rules: items.length, min })
  }
  /* What was refused is told until the field changes. */
  const clearErrors = () => {
    for (const item of list.querySelectorAll('.broken')) {
      item.classList.remove('broken')
      item.firstElementChild.remove()
    }
  }
  field.addEventListener('input', () => (clearErrors(), tick()))
  tick()
}

/* Pictures of phones are larger than what is accepted, and pages show them at most this large. */
const LARGEST_SIDE = 1024

async function shrink(file) {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, LARGEST_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width * scale
  canvas.height = bitmap.height * scale
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  return { shrunk: new File([blob], 'picture.jpg', { type: blob.type }), canvas }
}

/* The format of a picture may be unknown to the browser, as HEIC is to most. */
for (const input of document.querySelectorAll('[data-preview]')) {
  const failure = document.getElementById(`${input.id}-unreadable`)
  input.addEventListener('change', async () => {
    const [file] = input.files
    if (!file) return
    const picture = await shrink(file).catch(() => null)
    failure.hidden = picture !== null
    input.setCustomValidity(picture ? '' : failure.textContent)
    if (!picture) return
    const { shrunk, canvas } = picture
    if (file.size > Number(input.dataset.largest)) {
      const transfer = new DataTransfer()
      transfer.items.add(shrunk)
      input.files = transfer.files
    }
    const preview = document.getElementById(input.dataset.preview)
    canvas.className = preview.className
    canvas.id = preview.id
    preview.replaceWith(canvas)
  })
}

/* An address that was typed and not filled in would be registered as the example of its preset. */
for (const form of document.querySelectorAll('[data-sent-before]')) {
  const { url } = form.elements
  const registration = document.querySelector(`form[action="${form.dataset.sentBefore}"]`)
  registration.addEventListener('submit', (event) => {
    if (url.value === url.defaultValue) return
    event.preventDefault()
    form.requestSubmit()
  })
}
