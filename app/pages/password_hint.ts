import passwords from '#config/passwords'

/** What the policy asks of a new password, in one line under the field. */
export const passwordHint =
  passwords.policy === 'composition'
    ? `At least ${passwords.minLength} characters, with an upper and a lower case letter, a digit and one of !@#$%^&*`
    : `At least ${passwords.minLength} characters`
