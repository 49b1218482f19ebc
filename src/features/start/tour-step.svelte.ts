/** Which step of the tour is shown. It outlives the screen: a lock of the keys does not begin the tour again. */
class TourStep {
  at = $state<1 | 2>(1)
}

export const tourStep = new TourStep()
