package dev.stowage.sidecar.csi;

import dev.stowage.driver.call.RequestText;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures every call to the driver and, where that is asked for, logs it without its secrets. */
final class CallRecorder implements ClientInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(CallRecorder.class);

    private final OperationMetrics metrics;
    private final int longestReply;

    /** @param longestReply how much of a reply is logged; zero or less for all of it */
    CallRecorder(OperationMetrics metrics, int longestReply) {
        this.metrics = metrics;
        this.longestReply = longestReply;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            private final long began = System.nanoTime();

            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onMessage(R reply) {
                                if (LOG.isDebugEnabled()) {
                                    LOG.debug("{} replied {}", method.getFullMethodName(), bounded(reply));
                                }
                                super.onMessage(reply);
                            }

                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                ended(method, status, System.nanoTime() - began);
                                super.onClose(status, trailers);
                            }
                        },
                        headers);
            }

            @Override
            public void sendMessage(Q request) {
                if (LOG.isDebugEnabled()) {
                    LOG.debug("{} is called with {}", method.getFullMethodName(), RequestText.of(request));
                }
                super.sendMessage(request);
            }
        };
    }

    private void ended(MethodDescriptor<?, ?> method, Status status, long nanos) {
        metrics.ended("/" + method.getFullMethodName(), status.getCode(), nanos);
        if (!status.isOk()) {
            LOG.debug("{} ended with {}", method.getFullMethodName(), status.getCode());
        }
    }

    private String bounded(Object reply) {
        String text = RequestText.of(reply);
        return longestReply > 0 && text.length() > longestReply ? text.substring(0, longestReply) + "…" : text;
    }
}
