import type { Validator } from './operation.ts'

/** The validator of a body that may be of several kinds, each with its own validator. */
export function anyOf(...validators: Validator[]): Validator {
  return {
    toJSONSchema: () => ({ anyOf: validators.map((validator) => validator.toJSONSchema()) }),
    async tryValidate(body) {
      const results = await Promise.all(validators.map((each) => each.tryValidate(body)))
      return results.find(([refused]) => !refused) ?? results[0]
    },
  }
}
