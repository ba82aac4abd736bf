/*
 | Conveniences of fields: showing a password while it is typed, ticking the rules that it
 | meets, and a picture before it is uploaded.
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

for (const list of document.querySelectorAll('[data-rules-of]')) {
  const field = document.getElementById(list.dataset.rulesOf)
  const tick = () => {
    for (const item of list.children) {
      item.classList.toggle('met', isMet[item.dataset.rule](field.value, item.dataset.min))
    }
  }
  field.addEventListener('input', tick)
  tick()
}

/* Pictures of phones are larger than what is accepted; nobody sees more of them than this. */
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

for (const input of document.querySelectorAll('[data-preview]')) {
  input.addEventListener('change', async () => {
    const [file] = input.files
    if (!file) return
    const { shrunk, canvas } = await shrink(file)
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
