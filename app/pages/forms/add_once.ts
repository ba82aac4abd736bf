interface Once<Added> {
  /** The id of the form as it was filled in; absent for a request without a form. */
  id?: string
  add: () => Promise<Added>
  find: (id: string) => Promise<Added | null>
  /** The refusals that a second submit may meet. */
  refusals: (new () => Error)[]
}

/** For the second submit of a form, returns what the first one has added. */
export async function addOnce<Added>({ id, add, find, refusals }: Once<Added>): Promise<Added> {
  try {
    return await add()
  } catch (error) {
    const isRepeatable = refusals.some((refusal) => error instanceof refusal)
    const earlier = id && isRepeatable ? await find(id) : null
    if (!earlier) throw error
    return earlier
  }
}
