// The escrow service: installs contracts, starts instances of them, and takes offers. It holds what is on offer, so
// that a trader needs to trust it and the issuers of what it trades, and neither the contract nor the other trader.

import { E, Far } from '@endo/far';
import { makeInstance } from './escrow/instances.js';
import { makePools } from './escrow/pools.js';
import { insistKeywords, insistRecord } from './escrow/proposal.js';
import { makeIssuerKit } from './money/issuer.js';

/** @param {object} vatAdmin  the service that makes vats */
const makeEscrow = vatAdmin => {
  const pools = makePools();
  const invitations = makeIssuerKit('invitation', 'set');
  const installations = new WeakMap();
  const instances = new Map();

  const mintInvitation = details => invitations.mint.mintPayment(invitations.math.make([details]));

  const findInstance = instance => {
    const found = instances.get(instance);
    if (found === undefined) throw Error('there is no such instance');
    return found;
  };

  const providePools = async issuers => {
    insistKeywords(issuers);
    const entries = Object.entries(issuers).map(async ([keyword, issuer]) => [
      keyword,
      await pools.provide(await issuer),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };

  return Far('escrow', {
    /**
     * @param {object} bundleCapP  of the contract's vat
     * @returns {Promise<object>} the installation
     */
    async install(bundleCapP) {
      const installation = Far('installation', {});
      installations.set(installation, await bundleCapP);
      return installation;
    },

    /**
     * A new vat with the contract in it.
     *
     * @param {object} installationP
     * @param {Record<string, object>} issuers  by keyword
     * @param {Record<string, any>} [terms]  for the contract
     */
    async startInstance(installationP, issuers, terms = {}) {
      const installation = await installationP;
      const bundleCap = installations.get(installation);
      if (bundleCap === undefined) throw Error('there is no such installation');
      const [ofKeywords, { root, adminNode }] = await Promise.all([
        providePools(issuers),
        E(vatAdmin).createVat(bundleCap),
      ]);
      const made = makeInstance({
        installation,
        host: root,
        adminNode,
        pools: ofKeywords,
        mintInvitation,
        onClose: () => instances.delete(made.instance),
      });
      const { instance, contractAdmin, shutdown } = made;
      const entry = { ...made, terms, publicFacet: undefined };
      instances.set(instance, entry);
      const keywords = Object.fromEntries(
        Object.entries(ofKeywords).map(([keyword, { brand, math }]) => [
          keyword,
          { brand, kind: math.kind },
        ]),
      );
      try {
        const started = await E(root).start(contractAdmin, harden({ keywords, terms }));
        const facets = insistRecord(started, 'what a contract starts with');
        entry.publicFacet = facets.publicFacet;
        return harden({ ...facets, instance });
      } catch (error) {
        shutdown('the contract did not start');
        throw error;
      }
    },

    /**
     * Make an offer. The invitation is used up; the payments go into escrow. When this fails, nothing has been taken.
     * A payment that its issuer refuses, later, goes back by the seat's payouts, as all else does.
     *
     * @param {object} invitationP
     * @param {any} given  a proposal: `{ give, want, exit }`
     * @param {Record<string, object>} [payments]  or promises for them, by the keywords of `give`
     * @returns {Promise<object>} the user seat, at once, so that the offer can be withdrawn whatever issuers do
     */
    async offer(invitationP, given, payments = harden({})) {
      const invitation = await invitationP;
      const { issuer } = invitations;
      const { value } = await issuer.getAmountOf(invitation);
      if (value.length !== 1)
        throw Error(`an offer takes a payment of one invitation, this is one of ${value.length}`);
      const [{ instance, handle }] = value;
      const found = instances.get(instance);
      if (found === undefined) throw Error('No further offers are accepted');
      const proposal = found.checkOffer(given, payments);
      await issuer.burn(invitation);
      return found.offer(handle, proposal, payments);
    },

    getInvitationIssuer: () => invitations.issuer,
    getPublicFacet: instance => findInstance(instance).publicFacet,
    getTerms: instance => findInstance(instance).terms,

    /** The amounts in escrow, for audits: one allocation for each seat of the instance. */
    getAllocations: instance => findInstance(instance).getAllocations(),
  });
};

export const buildRootObject = () => Far('escrow root', { buildEscrow: makeEscrow });
