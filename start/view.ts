import app from '@adonisjs/core/services/app'
import edge from 'edge.js'
import { compileViewsOnce } from '#pages/compile_views_once'
import { viewHelpers } from '#pages/view_helpers'

for (const [name, helper] of Object.entries(viewHelpers)) edge.global(name, helper)
if (!app.inDev) compileViewsOnce(edge)
