const key = 'holdfast.tour-step'

/** Which step of the tour is shown. It outlives the page: a lock of the keys loads that again, and does not begin the tour again. */
class TourStep {
  #at = $state<1 | 2>(sessionStorage.getItem(key) === '2' ? 2 : 1)

  get at(): 1 | 2 {
    return this.#at
  }

  set at(step: 1 | 2) {
    this.#at = step
    sessionStorage.setItem(key, String(step))
  }
}

export const tourStep = new TourStep()
