export interface FieldError {
  field: string
  message: string
  meta?: { choices?: string[] }
}

/** The message of a validator, with the values that it accepts. */
export function withChoices({ message, meta }: Omit<FieldError, 'field'>) {
  return meta?.choices ? `${message}: one of ${meta.choices.join(', ')}` : message
}
