import { playSeeds } from './play-seeds.ts'

playSeeds(151, 150)
