// The name of somebody who has not chosen one. It is asked for before others are told it.
import { guest, registerGuest } from "../server/guest.svelte";

/** No name was typed yet; the field for it has the focus. */
export class Unnamed extends Error {}

export class OwnName {
  typed = $state("");
  field = $state<HTMLInputElement>();

  /**
   * Makes this device known to the server under a name that somebody chose. `isKnown`: the server has answered this
   * guest before, who need not be registered again.
   */
  async register(isKnown: boolean): Promise<void> {
    if (guest.hasName) {
      if (!isKnown) await registerGuest();
      return;
    }
    if (!this.typed.trim()) {
      this.field?.focus();
      throw new Unnamed();
    }
    await registerGuest(this.typed);
  }
}
