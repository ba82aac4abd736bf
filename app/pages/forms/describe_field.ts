import type { Form } from './forms.ts'

interface FieldProps {
  form: Form
  name: string
  id?: string
  value?: unknown
  hint?: string | null
  rules?: { text: string }[]
  options?: (string | { value: string; text: string })[]
}

export function describeField(props: FieldProps) {
  const { form, name, id = `field-${name}`, hint, rules } = props
  const errors = form.errors[name] ?? []
  /** Errors of the listed rules are shown at the rule. */
  const others = errors.filter((message) => !rules?.some(({ text }) => text === message))
  const described = [hint || rules ? `${id}-hint` : '', others.length ? `${id}-error` : '']
  return {
    id,
    errors,
    others,
    isLocked: isLocked(props),
    chosen: String(form.input[name] ?? props.value ?? ''),
    options: optionsOf(props),
    attributes: {
      id,
      name,
      'readonly': isLocked(props),
      'aria-invalid': errors.length ? 'true' : null,
      'aria-describedby': described.filter(Boolean).join(' ') || null,
    },
  }
}

/** Browsers send read-only fields. A list or box is disabled, with its value in a hidden field. */
function isLocked({ form, name }: FieldProps) {
  return form.managed?.fields.includes(name) ?? false
}

/** An option that is a word is its own text; a list of values selects several options. */
function optionsOf({ form, name, value, options = [] }: FieldProps) {
  const chosen = [form.input[name] ?? value ?? ''].flat().map(String)
  return options
    .map((option) => (typeof option === 'string' ? { value: option, text: option } : option))
    .map((option) => ({ ...option, isChosen: chosen.includes(String(option.value)) }))
}

export function hasErrors({ errors }: Form) {
  return Object.keys(errors).length > 0
}
