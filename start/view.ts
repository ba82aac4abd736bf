import edge from 'edge.js'
import { viewHelpers } from '#pages/view_helpers'

for (const [name, helper] of Object.entries(viewHelpers)) edge.global(name, helper)
