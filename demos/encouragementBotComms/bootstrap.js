import { E, Far } from '@endo/far';

// The number under which the bot's side publishes the bot, and the user's side finds it.
const botIndex = 0;

export const buildRootObject = ({ D }) => {
  // One side's way to the other: strings go through the loopbox under the names of the two sides.
  const connect = async (loopbox, own, peer, { comms, vattp }) => {
    D(loopbox).registerInboundHandler(own, vattp);
    await E(vattp).registerMailboxDevice(D(loopbox).getSender(own));
    const { transmitter, setReceiver } = await E(vattp).addRemote(peer);
    await E(comms).addRemote(peer, transmitter, setReceiver);
  };

  return Far('bootstrap', {
    async bootstrap(vats, { loopbox }) {
      const { user, usercomms, uservattp, bot, botcomms, botvattp } = vats;
      await connect(loopbox, 'user', 'bot', { comms: usercomms, vattp: uservattp });
      await connect(loopbox, 'bot', 'user', { comms: botcomms, vattp: botvattp });
      await E(botcomms).addEgress('user', botIndex, bot);
      const remoteBot = E(usercomms).addIngress('bot', botIndex);
      E(user)
        .talkToBot(remoteBot, 'bot')
        .then(
          answer => console.log(`bootstrap: user says "${answer}"`),
          error => console.log(`bootstrap: user failed, ${error.message}`),
        );
    },
  });
};
