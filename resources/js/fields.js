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

for (const input of document.querySelectorAll('[data-preview]')) {
  const preview = document.getElementById(input.dataset.preview)
  input.addEventListener('change', () => {
    const [file] = input.files
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const image = document.createElement('img')
      image.className = preview.className
      image.id = preview.id
      image.alt = ''
      image.src = reader.result
      document.getElementById(preview.id).replaceWith(image)
    })
    if (file) reader.readAsDataURL(file)
  })
}
